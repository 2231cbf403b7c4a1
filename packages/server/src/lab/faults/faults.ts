/** The faults of a lab, put together: the book, and the ports through which it strikes. */
import type { Entry, Event } from "@pricetime/engine";
import { AdminRefusal } from "../../people/admin/answer.ts";
import type { Entrance } from "../../api/edge/request.ts";
import type { Follower } from "../../api/edge/telling-order.ts";
import type { StreamFaults } from "../../api/streams/faults-port.ts";
import type { CoinFaults } from "../../funds/wallet/faults-port.ts";
import type { Keeping, KeptValue } from "../../platform/world/kept.ts";
import type { Dice, World } from "../../platform/world/port.ts";
import { KeptUnreadable } from "../../platform/world/read-kept.ts";
import type { FaultPorts, FaultyNode } from "./port.ts";
import { performer } from "./acts.ts";
import { FaultBook } from "./fault-book.ts";
import { FaultSink } from "./fault-sink.ts";
import { FaultyCoins } from "./faulty-coins.ts";
import { FaultyStreams } from "./faulty-streams.ts";
import { readKeptFaults } from "./kept-faults.ts";

export interface FaultsParts extends FaultyNode {
  /** Time and timers of the lab. */
  readonly world: World;
  /** Where chance decides. Default: those of the world. */
  readonly dice?: Dice;
  /** The earlier result of `kept`. Anything else throws `KeptUnreadable`. */
  readonly kept?: KeptValue | undefined;
}

export class Faults implements FaultPorts, Follower, Keeping {
  readonly book: FaultBook;
  readonly streams: StreamFaults;
  readonly coins: CoinFaults;
  readonly #streams: FaultyStreams;
  readonly #coins: FaultyCoins;

  constructor({ view, sequencer, wallet, world, dice = world, kept }: FaultsParts) {
    this.book = new FaultBook({ view, world, dice, performer: performer({ view, sequencer, wallet }) });
    this.streams = this.#streams = new FaultyStreams(this.book);
    this.coins = this.#coins = new FaultyCoins({ book: this.book, sequencer, controls: wallet });
    if (kept !== undefined) goOn(this.book, kept);
  }

  /** Requests pass the faults before the gateway. */
  readonly entrance = (gateway: Entrance): Entrance => new FaultSink(this.book, gateway);

  /** Whether nothing waits on the clock: no request or message that a fault has delayed. */
  get isIdle(): boolean {
    return this.book.delays.isEmpty && this.#streams.isIdle;
  }

  applied(entry: Entry, events: readonly Event[]): void {
    this.book.applied(entry, events);
    this.#coins.applied(entry, events);
  }

  kept(): KeptValue {
    return JSON.parse(JSON.stringify(this.book.kept())) as KeptValue;
  }

  end(): void {
    this.book.delays.end();
  }
}

function goOn(book: FaultBook, kept: KeptValue): void {
  const read = readKeptFaults(kept);
  try {
    book.goOnFrom(read);
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    throw new KeptUnreadable(`the checkpoint is damaged, or of another version: faults: ${error.message}`);
  }
}
