/** Compares the received stream messages with the expected ones: all of them, in order, none twice. */
import type { StreamRecord } from "../messages.ts";
import { DigestReader } from "../records.ts";
import type { Findings } from "./findings.ts";

interface Stream {
  readonly reader: DigestReader;
  /** The first difference is reported; later messages are not compared. */
  isBroken: boolean;
  expected: number;
}

export class StreamCheck {
  readonly #streams = new Map<string, Stream>();
  readonly #findings: Findings;

  constructor(records: readonly StreamRecord[], findings: Findings) {
    this.#findings = findings;
    for (const { of, file } of records) {
      this.#streams.set(of, { reader: new DigestReader(file), isBroken: false, expected: 0 });
    }
  }

  hears(of: string): boolean {
    return this.#streams.has(of);
  }

  /** `of` is the symbol or account whose next message must be `text`. */
  expect(of: string, text: string): void {
    const stream = this.#streams.get(of);
    if (stream === undefined) return;
    stream.expected++;
    if (stream.isBroken || stream.reader.matches(text)) return;
    stream.isBroken = true;
    const what = stream.reader.read > stream.reader.length ? "nothing" : "something else";
    this.#findings.add(`stream of ${of}, message ${stream.expected}: ${what} was heard; it must be ${text}`);
  }

  /** Returns the total number of messages. */
  end(): number {
    let messages = 0;
    for (const [of, { reader, expected }] of this.#streams) {
      this.#findings.compare(`messages of ${of}`, reader.length, expected);
      messages += expected;
    }
    return messages;
  }
}
