type Piece = string | Uint8Array<ArrayBuffer>;

/** A destination for a file, written in chunks. */
interface FileSink {
  readonly write: (data: Piece) => Promise<void>;
  /** Completes the file. Before that, the old file or no file is there. */
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

/** Chromium's API, which TypeScript does not declare. */
interface SavesFiles {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { description: string; accept: Record<string, string[]> }[];
  }) => Promise<{ createWritable: () => Promise<FileSink> }>;
}

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly extension: string;
}

/**
 * Asks the user for a place and streams the file there. Browsers without that API collect the file and download it at
 * the end. Call it from a click handler: browsers open the dialog only then. An interrupted stream leaves no file.
 *
 * @param pieces read only after the user chose a place
 * @returns whether the user chose one
 */
export async function saveFile(
  file: NewFile,
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
): Promise<boolean> {
  const sink = await openFile(file);
  if (!sink) return false;
  try {
    for await (const piece of pieces) await sink.write(piece);
    await sink.close();
    return true;
  } catch (error) {
    await sink.abort().catch(() => undefined);
    throw error;
  }
}

async function openFile(file: NewFile): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = globalThis as SavesFiles;
  if (!showSaveFilePicker) return downloadAtEnd(file);
  try {
    const handle = await showSaveFilePicker({
      suggestedName: file.name,
      types: [{ description: file.extension, accept: { [file.mediaType]: [file.extension] } }],
    });
    return await handle.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** Browsers keep the parts of a large Blob on disk. */
function downloadAtEnd({ name, mediaType }: NewFile): FileSink {
  let pieces: Blob[] = [];
  return {
    write: async (data) => void pieces.push(new Blob([data])),
    abort: async () => void (pieces = []),
    close: async () => {
      const url = URL.createObjectURL(new Blob(pieces, { type: mediaType }));
      pieces = [];
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      // The download reads the URL shortly after the click.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
  };
}
