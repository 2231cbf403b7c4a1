/** Files served to browsers: headers, ETag and checksum, as the gateway and the admin port send them. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** An immutable file. The object stays the same while the file does, so that derived data can be cached. */
export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Headers of this file only, such as its Content-Security-Policy: alternating names and values. */
  readonly headers: readonly string[];
  /**
   * How long a browser may cache the file: with revalidation, forever (the content of this path never changes), or not
   * at all.
   */
  readonly keeping: "until changed" | "for good" | "not at all";
  readonly bytes: Buffer;
  /** An ETag without quotes. It changes with the bytes. */
  readonly tag: string;
  /** The CRC-32 of the bytes. */
  readonly crc: number;
}

/** The client that requests a page. */
export interface Visitor {
  /** The Accept header. */
  readonly accept: string | undefined;
  /** Whether the request comes from this machine itself, as `isFromOwnMachine` determines. */
  readonly isOnOwnMachine: boolean;
}

export interface Web {
  /** The program's version. */
  readonly version: string;
  /**
   * Undefined if there is no page at the path. A promise while the pages are being rendered; it rejects with disk
   * errors, and the next request then tries again.
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

/** Length of the hash in an ETag: 132 bits. */
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
