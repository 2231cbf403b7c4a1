/** A file that browsers are served: its headers, tag and checksum, as the gateway and the admin port send it. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** An immutable file. The object stays the same while the file does, so that derived data can be cached. */
export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Headers of this file alone, such as its Content-Security-Policy: names and values in turn. */
  readonly headers: readonly string[];
  /**
   * How long a browser keeps it: until it asks and hears of another, without asking (what stands at this address never
   * changes), or not at all.
   */
  readonly keeping: "until changed" | "for good" | "not at all";
  readonly bytes: Buffer;
  /** An ETag without its quotes: it changes with the bytes. */
  readonly tag: string;
  /** The CRC-32 of the bytes. */
  readonly crc: number;
}

/** The client that asks for a page. */
export interface Visitor {
  /** The header of that name. */
  readonly accept: string | undefined;
  /** Whether the request comes from the node's own machine, under a name of its own, and for nobody else. */
  readonly isOnOwnMachine: boolean;
}

export interface Web {
  /** The program's version. */
  readonly version: string;
  /**
   * Undefined: this is not the address of a page. A promise where the pages are
   * yet to be made; it rejects with errors of the disk, and the next request then makes them again.
   */
  find(path: string, visitor: Visitor): WebFile | Promise<WebFile> | undefined;
}

/** What files are, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html;charset=UTF-8",
  css: "text/css;charset=UTF-8",
  js: "text/javascript;charset=UTF-8",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  png: "image/png",
  woff2: "font/woff2",
  py: "text/x-python;charset=UTF-8",
};

export function contentTypeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

/** The characters of the hash in a tag: 132 bits. */
const TAG_LENGTH = 22;

export function webFile(
  bytes: Buffer,
  {
    contentType,
    status = 200,
    headers = [],
    keeping = "until changed",
  }: Pick<WebFile, "contentType"> & Partial<WebFile>,
): WebFile {
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, TAG_LENGTH);
  return { status, contentType, headers, keeping, bytes, tag, crc: crc32(bytes) };
}
