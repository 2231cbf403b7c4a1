/** An exchange whose user streams record the messages for each listener. */
import { Hub } from "../../../src/api/streams/hub.ts";
import type { Subscriber } from "../../../src/api/streams/hub.ts";
import { UserStreams } from "../../../src/api/streams/user/user-streams.ts";
import type { Parameters } from "@pricetime/testkit/client";
import { type TestAnswer, type TestKey, TestVenue } from "@pricetime/testkit/gateway-venue";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

// The tests look into messages of every kind.
// oxlint-disable-next-line typescript/no-explicit-any
export type Message = Record<string, any>;

export class UserVenue extends TestVenue {
  readonly hub = new Hub(new SendQueue());
  readonly streams = new UserStreams({
    engine: this.engine,
    publisher: this.hub,
    timers: MACHINE,
    nowMs: () => Math.max(this.nowMs, this.engine.timeMs),
  });

  constructor() {
    super();
    this.hub.watchInstead([this.streams]);
    this.followers.add({ applied: (_, events) => this.streams.applied(events) });
  }

  /** Collects the account's messages from now on. */
  record({ accountId }: TestKey): Message[] {
    const heard: Message[] = [];
    this.streams.subscribe(accountId, (text) => heard.push(JSON.parse(text) as Message));
    return heard;
  }

  async listenKey(key = this.trader): Promise<string> {
    const headers = { "x-mbx-apikey": key.apiKey };
    return (await this.send("POST", "/api/v3/userDataStream", { headers })).json.listenKey;
  }

  /** As `order`, which must be accepted. */
  async placed(parameters: Parameters, key = this.trader): Promise<TestAnswer["json"]> {
    const answer = await this.order({ newOrderRespType: "RESULT", ...parameters }, { key });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    return answer.json;
  }
}

/** Subscribes to a stream by name: its messages, and why it ended. */
export class Recorder implements Subscriber {
  readonly isCombined = false;
  readonly messages: Message[] = [];
  ended: string | undefined;

  deliver(frames: Buffer): void {
    for (let at = 0; at < frames.length; ) {
      const short = (frames[at + 1] as number) & 0x7f;
      const header = short < 126 ? 2 : 4;
      const length = short < 126 ? short : frames.readUInt16BE(at + 2);
      this.messages.push(JSON.parse(frames.toString("utf8", at + header, at + header + length)) as Message);
      at += header + length;
    }
  }
  streamEnded(_name: string, reason: string): void {
    this.ended = reason;
  }
  hold(): boolean {
    return true;
  }
  release(): void {}
}

/** What happened to orders, one line each: side, type, `x`/`X`, and whether it is on the book. */
export function story(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    switch (message["e"]) {
      case "executionReport":
        return `${message["S"]} ${message["o"]} ${message["x"]}/${message["X"]}${message["w"] ? " on book" : ""}`;
      case "listStatus":
        return `list ${message["l"]}/${message["L"]}`;
      case "balanceUpdate":
        return `${message["a"]} ${message["d"]}`;
      default:
        return message["e"] as string;
    }
  });
}
