/** Files served to browsers, with the headers, ETag and checksum that the gateway and the admin port send. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** An immutable file. An unchanged file keeps its object, so that derived data can be cached by the object. */
export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Headers of only this file, such as its Content-Security-Policy: alternating names and values. */
  readonly headers: readonly string[];
  /**
   * How a browser may cache the file: with revalidation; forever, because the content at this path never changes; or
   * not at all.
   */
  readonly keeping: "until changed" | "for good" | "not at all";
  readonly bytes: Buffer;
  /** The ETag without quotes. It changes whenever the bytes change. */
  readonly tag: string;
  /** The CRC-32 of the bytes. */
  readonly crc: number;
}

/** The client that requests a page. */
export interface Visitor {
  /** The value of the Accept header. */
  readonly accept: string | undefined;
  /** Whether the request comes from this machine itself, as `isFromOwnMachine` determines. */
  readonly isOnOwnMachine: boolean;
}

export interface Web {
  /** The version of the program. */
  readonly version: string;
  /**
   * Returns undefined if there is no page at the path; a promise while the pages are being rendered. The promise
   * rejects on a disk error, and the next request retries.
   */
  find(path: string, visitor: Visitor): WebFile | Promise<WebFile> | undefined;
}

/** MIME types by file extension. */
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

/** Number of characters of the hash in an ETag: 132 bits. */
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
