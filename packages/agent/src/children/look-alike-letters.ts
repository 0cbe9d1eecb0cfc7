/**
 * Letters of other scripts that look like small Latin ones, in most fonts; one entry a Latin letter. What Unicode
 * decomposes by itself (fullwidth, mathematical and accented letters) is not listed.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "аαɑ𐌰ᴀꭺ",
  b: "ьβвƅʙ",
  c: "сϲᴄⅽꮯ",
  d: "ԁɗᴅꭰ",
  e: "еєεҽℯᴇꭼё",
  f: "ƒꞙϝ",
  g: "ɡցɢԍ",
  h: "һհнʜᏂ",
  i: "іιıɩӏⲓꙇɪ",
  j: "јϳʝ",
  k: "кκĸᴋⲕ",
  l: "ӀǀוןʟⅼⲒ",
  m: "мʍᴍⅿ",
  n: "пηոռɴ",
  o: "оοσօᴏⲟഠ໐੦௦",
  p: "рρⲣᴘ",
  q: "ԛզգ",
  r: "гᴦꭇɾʀⲅ",
  s: "ѕꜱʂƽ",
  t: "тτᴛƭ",
  u: "υսᴜцʋ",
  v: "νѵᴠⱱ",
  w: "ԝωѡɯшᴡ",
  x: "хχⅹ",
  y: "уγүყʏ",
  z: "ʐᴢƶ",
};

/** Read as the letter that they stand for in a name that imitates another. */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  $: "s",
  "@": "a",
  "|": "l",
  "!": "l",
};

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    [...others].map((other): [string, string] => [other, latin]),
  ),
);

/**
 * What a reader takes a text for: small letters, without marks and without what cannot be seen, each look-alike as the
 * Latin letter. `i` and `l` become one letter, `rn` becomes `m`.
 */
export function visibleText(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\p{M}\p{Cf}\p{Cc}]/gu, "");
  // Before the small letters too: some look like a Latin letter only as capitals.
  const letters = [...plain].map((letter) => LETTERS.get(letter) ?? letter.toLowerCase());
  const small = letters.map((letter) => LETTERS.get(letter) ?? letter).join("");
  return small.replaceAll("rn", "m").replaceAll("i", "l");
}

/** The same where digits and signs stand for letters. */
export function spokenText(text: string): string {
  const letters = [...text.normalize("NFKD")].map((letter) => WRITTEN_FOR[letter] ?? letter);
  return visibleText(letters.join(""));
}
