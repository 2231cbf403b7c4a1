/** A file that browsers are served: its headers, tag and checksum, as the gateway and the admin port send it. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { WebFile } from "./port.ts";

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
