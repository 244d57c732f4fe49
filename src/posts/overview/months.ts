/** `count` consecutive months up to and including `last`, oldest first. Months before the year 1 are left out. */
export function monthsUpTo(last: string, count: number): string[] {
  const end = Number(last.slice(0, 4)) * 12 + Number(last.slice(5)) - 1;
  return Array.from({ length: count }, (_, index) => end - count + 1 + index)
    .filter((month) => month >= 12)
    .map((month) => {
      const year = String(Math.floor(month / 12)).padStart(4, '0');
      return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
    });
}
