/** HTTP and TLS requests of the command line: trusted certificates and timeouts. */
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { buffer } from "node:stream/consumers";
import type { ConnectionOptions as TlsOptions } from "node:tls";
import { CommandFailed } from "./failure.ts";

/** Absent: what Node trusts, NODE_EXTRA_CA_CERTS included. */
export type Trust = Pick<TlsOptions, "ca" | "allowPartialTrustChain" | "checkServerIdentity">;

export interface Asking {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Absent: it waits however long the answer takes; `fetch` would give up after five minutes. */
  readonly timeoutMs?: number;
  readonly trust?: Trust | undefined;
}

/** Codes of Node and OpenSSL for a certificate that is not trusted. */
const NOT_TRUSTED =
  /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_|ERR_TLS_CERT|INVALID_CA|UNABLE_TO_GET_CERT)/;

/** Trusts the authorities in a file, in PEM; undefined when none is named. Throws `CommandFailed`. */
export function trustOf(caFile: string | undefined): Trust | undefined {
  if (caFile === undefined) return undefined;
  try {
    return { ca: readFileSync(caFile, "utf8") };
  } catch (error) {
    throw new CommandFailed(`The CA file ${caFile} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

/** Trusts the certificate that the node's data folder names, whatever host names it has. */
export function trustIn(certificate: string | undefined): Trust | undefined {
  if (certificate === undefined) return undefined;
  return { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

/** Throws `CommandFailed` when no server answers at `url`, or its certificate is not trusted. */
export async function ask(url: string, target: string, asking: Asking): Promise<Response> {
  try {
    return await answerTo(url + target, asking);
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    const why = cause?.code ?? (error as Error).message;
    const said = NOT_TRUSTED.test(why)
      ? `The certificate of ${url} is not trusted (${why}). Specify the CA file with --ca.`
      : `Cannot connect to ${url} (${why}).`;
    throw new CommandFailed(said, { cause: error });
  }
}

function answerTo(url: string, { timeoutMs, trust, ...sent }: Asking): Promise<Response> {
  const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
  if (trust === undefined && timeoutMs !== undefined) return fetch(url, { ...sent, ...signal });
  const { method, headers, body = "" } = sent;
  const isTls = url.startsWith("https:");
  const options = { method, headers, ...signal };
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: http.IncomingMessage): void => {
      buffer(answer).then((bytes) => resolve(new Response(bytes, { status: answer.statusCode ?? 500 })), reject);
    };
    const request = isTls
      ? https.request(url, { ...options, ...trust }, onAnswer)
      : http.request(url, options, onAnswer);
    request.once("error", (cause) => reject(new Error(cause.message, { cause })));
    request.end(body);
  });
}
