import { useQuery } from '@tanstack/react-query';
import type { FileImportDto, ImportCheckDto } from '../../imports.controller.js';
import { CURRENT_SESSION, jsonOf, randomKey } from '../api/api.js';
import { api, queryClient } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { hasStatus, Unreachable } from '../api/problem.js';

/** A file, and what its ids mean. */
export interface ChosenFile {
  readonly file: File;
  /** Whether its rows replace the posts that have their ids. */
  readonly replaces: boolean;
  /** Identifies the choice. All attempts to import it have the same key, so that it is imported once. */
  readonly key: string;
}

export function chosenFile(file: File, replaces: boolean): ChosenFile {
  return { file, replaces, key: randomKey() };
}

/** Asks the service what an import of the file would do. It can be stopped by `queryClient.cancelQueries`. */
export function useImportCheck(chosen: ChosenFile | undefined) {
  return useQuery({
    queryKey: KEYS.importCheck(chosen?.key),
    queryFn: async ({ signal }): Promise<ImportCheckDto> => {
      const response = await send('admin/api/import-checks/', chosen!, { signal });
      return jsonOf<ImportCheckDto>(response);
    },
    enabled: chosen !== undefined,
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Nothing was sent: only another file, or a new choice of this one, can help. */
class UnusableFile extends Error {}

/** A file that the service does not recognize as a list of posts, such as a compressed one. */
export function unusableFile(faults: ImportCheckDto['faults']): Error {
  return new UnusableFile(faults.map(({ detail }) => detail).join(' '));
}

export interface ImportRequest {
  readonly chosen: ChosenFile;
  /** Whether rows are imported whose posts were changed or deleted after the export. */
  readonly overrides: boolean;
}

export async function importFile(
  { chosen, overrides }: ImportRequest,
  signal: AbortSignal,
): Promise<FileImportDto> {
  const headers = { 'Idempotency-Key': `"${chosen.key}"` };
  const query = { conflicts: overrides ? 'import' : 'skip' };
  try {
    const response = await send('admin/api/imports/', chosen, { signal, headers, query });
    const result = await jsonOf<FileImportDto>(response);
    void queryClient.invalidateQueries({ queryKey: KEYS.posts });
    return result;
  } catch (error) {
    if (!signal.aborted && !(error instanceof Unreachable)) throw error;
    const why = signal.aborted ? 'Stopped' : 'The response did not arrive';
    throw new Error(
      `${why}, so it is not known whether the posts were imported. Try again: they are imported at most once.`,
      { cause: error },
    );
  }
}

type SendOptions = Pick<Parameters<typeof api.send>[1] & object, 'signal' | 'headers' | 'query'>;

async function send(path: string, { file, replaces }: ChosenFile, options: SendOptions): Promise<Response> {
  if (await hasChanged(file)) {
    throw new UnusableFile('The file has changed on the disk since you chose it. Choose it again.');
  }
  if (file.size === 0) throw new UnusableFile('The file is empty. Choose another one.');
  // Detects an ended session before the upload of a large file.
  await api.json(CURRENT_SESSION, { signal: options.signal });
  return api.send(path, {
    ...options,
    method: 'POST',
    query: { ...options.query, ids: replaces ? 'replace' : 'ignore' },
    body: file,
    headers: { ...options.headers, 'Content-Type': 'application/octet-stream' },
  });
}

/** Whether the same file would fail again: it cannot be read, or is too long for the service. */
export function isAboutFile(error: unknown): boolean {
  return error instanceof UnusableFile || hasStatus(error, 413);
}

/** A browser refuses to read a file that has changed or gone since it was chosen. */
async function hasChanged(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch {
    return true;
  }
}
