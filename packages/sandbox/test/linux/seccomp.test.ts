import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTION, filterProgram, seccompFilter } from "../../src/linux/seccomp/filter.js";
import { CODE, type Instruction } from "../../src/linux/seccomp/instruction.js";
import {
  type Architecture,
  AUDIT_ARCHITECTURE,
  CHECKED,
  LAST_KNOWN_CALL,
  numberOn,
  REFUSED,
  UNKNOWN,
} from "../../src/linux/seccomp/system-calls.js";

interface Call {
  readonly number: number;
  readonly architecture: number;
  /** 64 bits each; those left out are 0. */
  readonly arguments: readonly bigint[];
}

/** `struct seccomp_data` in little-endian order. */
function dataOf(call: Call): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, call.number, true);
  view.setUint32(4, call.architecture, true);
  call.arguments.forEach((value, index) => {
    view.setBigUint64(16 + 8 * index, value, true);
  });
  return view;
}

/** Does what the kernel does with a filter, and throws where the kernel would refuse to load it. */
function evaluate(program: readonly Instruction[], call: Call): number {
  const data = dataOf(call);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const instruction = program[at];
    if (!instruction) throw new Error(`the program ran past its end at ${at}`);
    const { code, jt, jf, k } = instruction;
    const jump = (isTaken: boolean): void => {
      at += isTaken ? jt : jf;
    };
    if (code === CODE.return) return k;
    if (code === CODE.loadWord) accumulator = data.getUint32(k, true);
    else if (code === CODE.and) accumulator = (accumulator & k) >>> 0;
    else if (code === CODE.jumpIfEqual) jump(accumulator === k);
    else if (code === CODE.jumpIfAtLeast) jump(accumulator >= k);
    else if (code === CODE.jumpIfAnyBit) jump((accumulator & k) !== 0);
    else throw new Error(`unknown instruction ${code}`);
  }
}

const ARCHITECTURES: readonly Architecture[] = ["x64", "arm64"];
const programs = { x64: filterProgram("x64"), arm64: filterProgram("arm64") };

function answerOf(
  architecture: Architecture,
  number: number,
  ...words: readonly (number | bigint)[]
): number {
  const call = { number, architecture: AUDIT_ARCHITECTURE[architecture], arguments: words.map(BigInt) };
  return evaluate(programs[architecture], call);
}

/** By name, where the architecture has the call. */
function answerTo(
  architecture: Architecture,
  name: keyof typeof CHECKED,
  ...words: number[]
): number | undefined {
  const number = numberOn(architecture, CHECKED[name]);
  return number === undefined ? undefined : answerOf(architecture, number, ...words);
}

const word = fc.bigInt({ min: 0n, max: 0xffffffffffffffffn });
const words = fc.array(word, { minLength: 6, maxLength: 6 });
const { allow, refuse, unknown, kill } = ACTION;

const numbersOf = (
  architecture: Architecture,
  table: Readonly<Record<string, readonly [number | null, number | null]>>,
) => Object.values(table).flatMap((numbers) => numberOn(architecture, numbers) ?? []);

describe.each(ARCHITECTURES)("the system call filter for %s", (architecture) => {
  it("fits what the kernel takes, and every jump stays inside", () => {
    const program = programs[architecture];
    expect(program.length).toBeLessThanOrEqual(4096);
    program.forEach(({ code, jt, jf }, index) => {
      expect(jt).toBeLessThanOrEqual(255);
      expect(jf).toBeLessThanOrEqual(255);
      if (code !== CODE.return) expect(index + 1 + Math.max(jt, jf)).toBeLessThan(program.length);
    });
  });

  it("is encoded in eight bytes an instruction, little-endian", () => {
    const bytes = seccompFilter(architecture);
    const view = new DataView(bytes.buffer);
    expect(bytes.length).toBe(8 * programs[architecture].length);
    expect(view.getUint16(0, true)).toBe(CODE.loadWord);
    expect(view.getUint32(8 + 4, true)).toBe(AUDIT_ARCHITECTURE[architecture]);
    expect(view.getUint32(bytes.length - 4, true)).toBe(allow);
  });

  it("refuses what is refused, whatever the arguments", () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbersOf(architecture, REFUSED)), words, (number, given) => {
        expect(answerOf(architecture, number, ...given)).toBe(refuse);
      }),
    );
  });

  it("does not know what can be checked only by its older form, nor io_uring", () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbersOf(architecture, UNKNOWN)), words, (number, given) => {
        expect(answerOf(architecture, number, ...given)).toBe(unknown);
      }),
    );
  });

  it("allows every other known call, and knows no later one", () => {
    const special = new Set([REFUSED, UNKNOWN, CHECKED].flatMap((table) => numbersOf(architecture, table)));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 30 - 1 }), words, (number, given) => {
        if (special.has(number)) return;
        expect(answerOf(architecture, number, ...given)).toBe(number <= LAST_KNOWN_CALL ? allow : unknown);
      }),
    );
    for (let number = 0; number <= LAST_KNOWN_CALL; number += 1)
      if (!special.has(number)) expect(answerOf(architecture, number)).toBe(allow);
  });

  it("ends a program that calls by the rules of another architecture", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 0xffffffff }),
        (number, other) => {
          if (other === AUDIT_ARCHITECTURE[architecture]) return;
          expect(evaluate(programs[architecture], { number, architecture: other, arguments: [] })).toBe(kill);
        },
      ),
    );
  });

  it.each([
    { why: "fork and thread flags", name: "clone" as const, given: [0x01200011], answer: allow },
    { why: "a mount namespace", name: "clone" as const, given: [0x00020011], answer: refuse },
    { why: "a user namespace", name: "clone" as const, given: [0x10000011], answer: refuse },
    { why: "a network namespace", name: "clone" as const, given: [0x40000011], answer: refuse },
    { why: "a process namespace", name: "clone" as const, given: [0x20000011], answer: refuse },
    { why: "a cgroup namespace", name: "clone" as const, given: [0x02000011], answer: refuse },
    { why: "the size of a terminal", name: "ioctl" as const, given: [0, 0x5413], answer: allow },
    { why: "typing into a terminal", name: "ioctl" as const, given: [0, 0x5412], answer: refuse },
    { why: "pasting into a console", name: "ioctl" as const, given: [0, 0x541c], answer: refuse },
    { why: "internet sockets", name: "socket" as const, given: [2, 1, 6], answer: allow },
    { why: "internet sockets, version 6", name: "socket" as const, given: [10, 2, 17], answer: allow },
    { why: "unix sockets", name: "socket" as const, given: [1, 1, 0], answer: refuse },
    { why: "sockets of virtual machines", name: "socket" as const, given: [40, 1, 0], answer: refuse },
    { why: "packet sockets", name: "socket" as const, given: [17, 3, 0], answer: refuse },
    { why: "the list of interfaces", name: "socket" as const, given: [16, 3, 0], answer: allow },
    { why: "the kernel's audit", name: "socket" as const, given: [16, 3, 9], answer: refuse },
    { why: "a stream pair", name: "socketpair" as const, given: [1, 0x80801, 0], answer: allow },
    { why: "a pair that keeps messages apart", name: "socketpair" as const, given: [1, 5, 0], answer: allow },
    { why: "a datagram pair", name: "socketpair" as const, given: [1, 0x80002, 0], answer: refuse },
    { why: "a pair of another family", name: "socketpair" as const, given: [30, 1, 0], answer: refuse },
    { why: "a plain mode", name: "chmod" as const, given: [0, 0o755], answer: allow },
    { why: "set-user-id", name: "chmod" as const, given: [0, 0o4755], answer: refuse },
    { why: "set-group-id", name: "fchmod" as const, given: [3, 0o2755], answer: refuse },
    { why: "the sticky bit", name: "fchmodat" as const, given: [0, 0, 0o1777], answer: allow },
    { why: "set-user-id by fchmodat", name: "fchmodat" as const, given: [0, 0, 0o4700], answer: refuse },
    { why: "set-user-id by fchmodat2", name: "fchmodat2" as const, given: [0, 0, 0o4700, 0], answer: refuse },
    { why: "opening without a mode", name: "open" as const, given: [0, 0, 0o4755], answer: allow },
    { why: "creating with set-user-id", name: "open" as const, given: [0, 0o101, 0o4755], answer: refuse },
    {
      why: "creating with set-user-id, by creat",
      name: "creat" as const,
      given: [0, 0o6755],
      answer: refuse,
    },
    { why: "creating plainly", name: "openat" as const, given: [0, 0, 0o101, 0o644], answer: allow },
    {
      why: "creating with set-user-id, by openat",
      name: "openat" as const,
      given: [0, 0, 0o101, 0o4644],
      answer: refuse,
    },
    {
      why: "a nameless file with set-user-id",
      name: "openat" as const,
      given: [0, 0, 0o20200002, 0o4644],
      answer: refuse,
    },
    { why: "a pipe", name: "mknod" as const, given: [0, 0o010644], answer: allow },
    { why: "a character device", name: "mknod" as const, given: [0, 0o020644], answer: refuse },
    { why: "a block device", name: "mknodat" as const, given: [0, 0, 0o060644], answer: refuse },
    { why: "a plain file", name: "mknodat" as const, given: [0, 0, 0o100644], answer: allow },
    {
      why: "a plain file with set-user-id",
      name: "mknodat" as const,
      given: [0, 0, 0o104755],
      answer: refuse,
    },
  ])("decides about $name by its arguments: $why", ({ name, given, answer }) => {
    const got = answerTo(architecture, name, ...given);
    if (numberOn(architecture, CHECKED[name]) !== undefined) expect(got).toBe(answer);
    else expect(got).toBeUndefined();
  });

  it("is not misled by bits that the kernel does not read", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0x5412n, 0x541cn),
        fc.bigInt({ min: 0n, max: 0xffffffffn }),
        (request, high) => {
          const number = numberOn(architecture, CHECKED.ioctl) ?? -1;
          expect(answerOf(architecture, number, 0, (high << 32n) | request)).toBe(refuse);
        },
      ),
    );
  });
});

it("knows nothing of the x32 interface, whatever the number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0x40000000, max: 0xffffffff }), (number) => {
      expect(answerOf("x64", number)).toBe(unknown);
    }),
  );
});
