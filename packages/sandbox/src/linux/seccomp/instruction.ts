/** One instruction of classic BPF: `jt` and `jf` are how many instructions to skip. */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/** The operation codes that the filter uses. */
export const CODE = {
  loadWord: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  return: 0x06,
} as const;

/** Offsets into `struct seccomp_data`. */
const OFFSET = { number: 0, architecture: 4, arguments: 16 } as const;

const make = (code: number, k: number, jt = 0, jf = 0): Instruction => ({ code, jt, jf, k: k >>> 0 });

export const loadNumber = (): Instruction => make(CODE.loadWord, OFFSET.number);
export const loadArchitecture = (): Instruction => make(CODE.loadWord, OFFSET.architecture);
/** The low 32 bits of an argument; the kernel reads no more of those that the filter looks at. */
export const loadArgument = (index: number): Instruction => make(CODE.loadWord, OFFSET.arguments + 8 * index);
export const mask = (bits: number): Instruction => make(CODE.and, bits);
export const ifEqual = (value: number, skipThen: number, skipElse: number): Instruction =>
  make(CODE.jumpIfEqual, value, skipThen, skipElse);
export const ifAtLeast = (value: number, skipThen: number, skipElse: number): Instruction =>
  make(CODE.jumpIfAtLeast, value, skipThen, skipElse);
export const ifAnyBit = (bits: number, skipThen: number, skipElse: number): Instruction =>
  make(CODE.jumpIfAnyBit, bits, skipThen, skipElse);
export const answer = (action: number): Instruction => make(CODE.return, action);

const INSTRUCTION_BYTES = 8;

/** `struct sock_filter[]` in little-endian order, which both architectures use. */
export function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, jt, jf, k }, index) => {
    const at = index * INSTRUCTION_BYTES;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, jt);
    view.setUint8(at + 3, jf);
    view.setUint32(at + 4, k, true);
  });
  return bytes;
}
