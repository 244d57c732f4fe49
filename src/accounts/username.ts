/** Returns the user name as stored and shown: in canonical composition (NFC), so that equal names are equal strings. */
export function storedUsername(username: string): string {
  return username.normalize('NFC');
}

/**
 * Returns the key under which a user name is unique. Names that differ only in case or in compatible characters share a
 * key.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC');
}
