// Each stands for exactly one UTF-16 unit, so that positions stay the same.
const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ["'", "\u2018\u2019\u201b\u2032\u02bc\u00b4`"],
  ['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u00ad"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
  ["/", "\u2044\u2215\u29f8\uff0f"],
  ["*", "\u2217\u00d7\uff0a"],
  [":", "\ua789\u2236\uff1a"],
  [";", "\u037e\uff1b"],
  [",", "\u201a\uff0c"],
  [".", "\u2024\uff0e\u3002"],
];
const CYRILLIC = "аеорсухіјѕԁԛԝАВЕКМНОРСТУХІЈЅ";
const GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο";
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...LOOK_ALIKES.flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)),
  ...zip(CYRILLIC, "aeopcyxijsdqwABEKMHOPCTYXIJS"),
  ...zip(GREEK, "ABEZHIKMNOPTYXo"),
  // The wide forms of ASCII.
  ...Array.from(
    { length: 94 },
    (_, at) => [String.fromCharCode(0xff01 + at), String.fromCharCode(0x21 + at)] as const,
  ),
]);
const NOT_ASCII = /[^\0-\u007f]|`/g;

/** The text with every look-alike as the plain character it looks like, unit for unit. */
export function foldLookAlikes(text: string): string {
  return text.replaceAll(NOT_ASCII, (unit) => PLAIN.get(unit) ?? unit);
}

/** `“ (U+201C)` */
export function namedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{C}\p{Z}]/u.test(character) ? "" : `${character} `;
  return `${shown}(U+${code})`;
}

function zip(from: string, to: string): readonly (readonly [string, string])[] {
  return [...from].map((character, index) => [character, to[index] ?? character] as const);
}
