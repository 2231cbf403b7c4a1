/** A real SMTP server on loopback that records received messages. */
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface MailServer {
  readonly port: number;
  /** The accepted messages in raw form, with their recipients. */
  readonly taken: { readonly to: readonly string[]; readonly raw: string }[];
  /** The reply codes for the next recipients; 0 accepts. */
  readonly refusals: number[];
  readonly close: () => Promise<void>;
}

export async function startMailServer(port = 0, options: SMTPServerOptions = {}): Promise<MailServer> {
  const taken: { to: string[]; raw: string }[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    ...options,
    onRcptTo: (_address, _session, done) => {
      const code = refusals.shift() ?? 0;
      done(code === 0 ? null : Object.assign(new Error("not now"), { responseCode: code }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  // Some tests close connections in the middle of a message.
  server.on("error", () => {});
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => done());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    refusals,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
