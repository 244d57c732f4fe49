/** Where a file is written to, piece by piece. */
export interface FileSink {
  readonly write: (data: string | Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Until then there is no file, or the one that was there before. */
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

/** What Chromium has and TypeScript does not know. */
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
 * Asks where to save a file, and writes it there as it comes; browsers that cannot do that gather it and download it at
 * its end. To be called at the press of a button: browsers open the dialog only then.
 *
 * @returns nothing when the person chose no place
 */
export async function openFile(file: NewFile): Promise<FileSink | undefined> {
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

/** Browsers keep the pieces of a large Blob on disk. */
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
      // The download takes what it needs of the URL a moment after the click.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
  };
}
