/** A user name as it is kept and shown: canonically composed, so that the same name is the same text. */
export function storedUsername(username: string): string {
  return username.normalize('NFC');
}

/** What two user names have in common when nobody could tell them apart: case and compatible characters do not matter. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC');
}
