import { useEffect, useRef, useState } from 'react';
import type { FileImportDto, ImportCheckDto } from '../../imports.controller.js';
import { CURRENT_SESSION } from '../api/api.js';
import { api } from '../api/client.js';
import { Unreachable } from '../api/problem.js';
import { randomKey } from '../api/random-key.js';

/** A file, and whether its rows replace the posts that have their ids. */
export interface ChosenFile {
  readonly file: File;
  readonly replaces: boolean;
}

/** The state of the check or the import of a file. */
export type ImportState =
  | { readonly step: 'idle' }
  /** `share` is the part of the file that is sent; undefined while the service works on the rest of it. */
  | { readonly step: 'checking' | 'importing'; readonly share: number | undefined }
  | { readonly step: 'checked'; readonly check: ImportCheckDto }
  | { readonly step: 'done'; readonly result: FileImportDto }
  /** `isUncertain`: the response was lost, so the posts may have been stored. */
  | { readonly step: 'stopped'; readonly isUncertain: boolean }
  | {
      readonly step: 'failed';
      readonly error: unknown;
      readonly isUncertain: boolean;
      readonly retry: () => void;
    };

const STOPPED = new DOMException('Stopped', 'AbortError');

export type Import = ReturnType<typeof useImport>;

/** Runs the check and the import of a file. */
export function useImport() {
  const [state, setState] = useState<ImportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  /** The same for each attempt of one import, so that a retry stores nothing twice. */
  const key = useRef('');
  useEffect(() => () => running.current?.abort(STOPPED), []);

  const attempt = async <Result>(
    step: 'checking' | 'importing',
    chosen: ChosenFile,
    ended: (result: Result) => ImportState,
  ): Promise<void> => {
    running.current?.abort(STOPPED);
    const controller = new AbortController();
    running.current = controller;
    const show = (next: ImportState): void => {
      if (running.current === controller) setState(next);
    };
    let isSent = false;
    const onSent = (bytes: number): void => {
      isSent = bytes >= chosen.file.size;
      show({ step, share: isSent ? undefined : bytes / chosen.file.size });
    };
    show({ step, share: 0 });
    try {
      // While it sends a file, Chromium does not notice a change within the second in which it was chosen.
      if (await hasChanged(chosen.file)) throw new FileHasChanged();
      const path = step === 'checking' ? 'admin/api/import-checks/' : 'admin/api/imports/';
      const idempotencyKey = step === 'checking' ? undefined : `"${key.current}"`;
      const response = await send(path, chosen, { idempotencyKey, signal: controller.signal, onSent });
      show(ended((await response.json()) as Result));
    } catch (error) {
      const isImport = step === 'importing';
      if (controller.signal.aborted) return show({ step: 'stopped', isUncertain: isImport && isSent });
      const reason = (await hasChanged(chosen.file)) ? new FileHasChanged() : error;
      const isUncertain = isImport && reason instanceof Unreachable;
      show({ step: 'failed', error: reason, isUncertain, retry: () => void attempt(step, chosen, ended) });
    }
  };

  return {
    state,
    isRunning: state.step === 'checking' || state.step === 'importing',
    check: (chosen: ChosenFile): void => {
      key.current = randomKey();
      void attempt<ImportCheckDto>('checking', chosen, (check) => ({ step: 'checked', check }));
    },
    run: (chosen: ChosenFile): void =>
      void attempt<FileImportDto>('importing', chosen, (result) => ({ step: 'done', result })),
    stop: (): void => running.current?.abort(STOPPED),
  };
}

interface SendOptions {
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

async function send(
  path: string,
  { file, replaces }: ChosenFile,
  { idempotencyKey, signal, onSent }: SendOptions,
): Promise<Response> {
  // Detects an ended session before the upload of a large file.
  await api.json(CURRENT_SESSION, { signal });
  return api.send(path, {
    method: 'POST',
    query: { ids: replaces ? 'replace' : 'ignore' },
    body: file,
    headers: { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': idempotencyKey },
    onUploadProgress: onSent,
    signal,
  });
}

class FileHasChanged extends Error {
  constructor() {
    super('The file has changed on the disk since you chose it. Choose it again.');
  }
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
