/**
 * Finds variables that are probably misspelled settings, such as `API_TOKEN` or `ADMIN_PASWORD`. Other programs use the
 * same environment, so only a name that differs from one of ours in one or two letters counts.
 *
 * @returns pairs of a name and the setting that was probably meant
 */
export function findMisspelled(names: readonly string[], settings: readonly string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    if (settings.includes(name)) return [];
    const meant = settings.find(
      (setting) => distance(name.toUpperCase(), setting) <= (setting.length < 8 ? 1 : 2),
    );
    return meant === undefined ? [] : [[name, meant]];
  });
}

/** How many letters must be added, left out, replaced, or swapped with the next one (optimal string alignment). */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return Infinity;
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows[from.length]![to.length]!;
}
