import { type ApiResponse, isStream } from './api-response.js';

/** Detects changes to stored data from any source. */
export interface ChangeDetector {
  /** While the token stays the same, nothing has changed. Undefined when changes cannot be detected at the moment. */
  changeToken(): number | undefined;
}

/** Longer responses are rarer and take longer to send than to build. */
const MAX_LENGTH = 64 * 1024;
/** The total of all cached responses in UTF-16 units: some tens of MiB at most. */
const MAX_TOTAL_LENGTH = 16 * 1024 * 1024;

/**
 * A cache without stale entries: a response is stored under the token that was read before its data, and is found only
 * while the token is unchanged. This covers every way of writing, including other processes.
 */
export class ResponseCache {
  readonly #responses = new Map<string, ApiResponse>();
  #token: number | undefined;
  #totalLength = 0;

  constructor(private readonly changes: ChangeDetector) {}

  /** The token for storing a response that is built from now on. Entries of another token are removed. */
  begin(): number | undefined {
    const token = this.changes.changeToken();
    if (token !== undefined && token !== this.#token) {
      this.#clear();
      this.#token = token;
    }
    return token;
  }

  /** Call immediately after {@link begin} has returned a token. */
  find(key: string): ApiResponse | undefined {
    const response = this.#responses.get(key);
    return response?.lastModified?.isOutdated ? undefined : response;
  }

  /** @param token the result of {@link begin} before the response's data was read */
  keep(key: string, response: ApiResponse, token: number): void {
    const length = lengthOf(key, response);
    if (token !== this.#token || length > MAX_LENGTH || this.find(key)) return;
    this.#remove(key);
    if (this.#totalLength + length > MAX_TOTAL_LENGTH) this.#clear();
    this.#responses.set(key, response);
    this.#totalLength += length;
  }

  replace(key: string, response: ApiResponse, token: number): void {
    this.#remove(key);
    this.keep(key, response, token);
  }

  #remove(key: string): void {
    const response = this.#responses.get(key);
    if (!response) return;
    this.#responses.delete(key);
    this.#totalLength -= lengthOf(key, response);
  }

  #clear(): void {
    this.#responses.clear();
    this.#totalLength = 0;
  }
}

function lengthOf(key: string, { body }: ApiResponse): number {
  return isStream(body) ? Infinity : key.length + (body?.length ?? 0);
}
