// Tells whether the open database is still the one that the next start would open. A process keeps
// writing to files that were deleted or replaced under it, and everything it wrote is then lost.

import { statSync } from "node:fs";

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/** A file was deleted or replaced while the server had it open. */
export class FileReplaced extends Error {
  constructor(path: string) {
    super(
      `${path} was deleted or replaced while the server ran. Writes are refused, because they ` +
        "would be lost. Bring the file back, or stop the server and restore a backup.",
    );
    this.name = "FileReplaced";
  }
}

export class FileIdentity {
  readonly #opened: ReadonlyMap<string, Identity | undefined>;
  readonly #onReplaced: (error: FileReplaced) => void;
  #isInPlace = true;

  /** The database at the path and its log, both open. Calls back once each time one is replaced. */
  constructor(path: string, onReplaced: (error: FileReplaced) => void) {
    this.#opened = new Map([path, `${path}-wal`].map((one) => [one, identityOf(one)]));
    this.#onReplaced = onReplaced;
  }

  /** Throws FileReplaced unless both files are in place: two calls of stat(2), 2 µs. */
  require(): void {
    const replaced = this.#findReplaced();
    const wasInPlace = this.#isInPlace;
    this.#isInPlace = replaced === null;
    if (replaced === null) return;
    const error = new FileReplaced(replaced);
    if (wasInPlace) this.#onReplaced(error);
    throw error;
  }

  isInPlace(): boolean {
    try {
      this.require();
    } catch (error) {
      if (!(error instanceof FileReplaced)) throw error;
    }
    return this.#isInPlace;
  }

  /** The path at which another file stands now, or none. */
  #findReplaced(): string | null {
    for (const [path, opened] of this.#opened) {
      const found = identityOf(path);
      if (found?.dev !== opened?.dev || found?.ino !== opened?.ino) return path;
    }
    return null;
  }
}

function identityOf(path: string): Identity | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
