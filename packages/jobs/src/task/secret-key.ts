const SECRET =
  /(?:^|[_.\s-])(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|password|passwd|passphrase|credentials?|authorization|auth|bearer|cookie)s?(?:$|[_.\s-])/iu;

/** Does a key look as if its value were a credential? Those have no place in a task file, which tools may read. */
export function isSecretKey(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/gu, "$1_$2");
  return SECRET.test(words);
}
