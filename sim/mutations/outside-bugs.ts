/** Bugs of what a node sends and does on its own: streams, emails, payments, API trading rules. */
import { DepthStream } from "../../packages/server/src/api/streams/market/book.ts";
import { Kline } from "../../packages/server/src/api/streams/market/kline.ts";
import { TradeStream } from "../../packages/server/src/api/streams/market/trades.ts";
import { ListenersByAccount } from "../../packages/server/src/api/streams/user/listeners.ts";
import { FileOutbox } from "../../packages/server/src/people/mail/mail-room.ts";
import { WithdrawalEmails } from "../../packages/server/src/people/mail/node-mails.ts";
import { TradingRules } from "../../packages/server/src/funds/trading-rules.ts";
import { ReadBlocks } from "../../packages/server/src/funds/wallet/seen-on-chain.ts";
import { SandboxChain } from "../../packages/server/src/funds/wallet/sandbox/sandbox.ts";
import { inClass, type Mutation } from "./mutation.ts";

/** Skips the method in one of so many calls. */
function oneInOf<T extends object>(
  name: string,
  prototype: T,
  method: Extract<keyof T, string>,
  times: number,
): Mutation {
  let calls = 0;
  return inClass(name, prototype, method, function (real, args) {
    return ++calls % times === 0 ? undefined : real.apply(this, args);
  });
}

const isFill = (message: string): boolean => message.includes('"x":"TRADE"');

export const OUTSIDE_BUGS: readonly Mutation[] = [
  oneInOf("a depth update leaves a price out", DepthStream.prototype, "touched", 20),
  oneInOf("a trade is not told", TradeStream.prototype, "trade", 15),
  oneInOf("a candle leaves a trade out", Kline.prototype, "add", 12),
  inClass("a user stream tells a fill twice", ListenersByAccount.prototype, "send", function (real, args) {
    const [, message] = args as unknown as [number, string];
    real.apply(this, args);
    if (isFill(message)) real.apply(this, args);
  }),
  inClass(
    "a letter that the last process had not written is never written",
    WithdrawalEmails.prototype,
    "catchUp",
    () => 0,
  ),
  inClass("a letter is written twice", FileOutbox.prototype, "post", function (real, args) {
    real.apply(this, args);
    return real.apply(this, args);
  }),
  inClass(
    "a payment is sent before it is journaled",
    SandboxChain.prototype,
    "sign",
    async function (this: SandboxChain, real, args) {
      const signed = (await real.apply(this, args)) as { signedTx: string };
      await this.broadcast(signed.signedTx);
      return signed;
    },
  ),
  inClass("a block that left the chain is not noticed", ReadBlocks.prototype, "rewind", async () => undefined),
  inClass("who trades carelessly is not locked", TradingRules.prototype, "look", async () => 0),
  inClass("where the rules are off, who was locked stays so", TradingRules.prototype, "release", async () => 0),
];
