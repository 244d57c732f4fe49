/** What accept.ts uses. `@types/negotiator` does not know `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> });
    mediaType(available: readonly string[]): string | undefined;
    encoding(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string | undefined;
  }
}
