/** The fast book: a ladder for each side. */
import { assert, present } from "../../assert.ts";
import type { QuoteScale } from "../../number/quote-scale.ts";
import type { Side } from "../../entry/order-words.ts";
import type { Order } from "../order/order.ts";
import type { Book, LevelVisitor } from "./book.ts";
import { Ladder } from "./ladder.ts";
import type { Level } from "./level.ts";
import type { Stretch } from "./stretch.ts";

export class LadderBook implements Book {
  private readonly bids = new Ladder("highest");
  private readonly asks = new Ladder("lowest");
  size = 0;

  add(order: Order): void {
    assert(order.level === null && order.visibleLots > 0, "an order is added once, with something to show");
    const level = this.ladder(order.side).open(order.priceTicks);
    level.push(order);
    level.add(order.visibleLots, order.hiddenLots);
    this.size++;
  }

  remove(order: Order): void {
    const level = levelOf(order);
    level.add(-order.visibleLots, -order.hiddenLots);
    this.unlink(order, level);
  }

  fill(order: Order, lots: number): void {
    assert(lots > 0 && lots <= order.visibleLots, "a fill takes no more than is shown");
    const level = levelOf(order);
    const visibleLots = order.visibleLots - lots;
    const left = order.leftLots - lots;
    level.add(-lots, 0);
    order.show(visibleLots);
    if (visibleLots > 0) return;
    if (left === 0) {
      this.unlink(order, level);
      return;
    }
    const slice = Math.min(order.icebergLots, left);
    order.show(slice);
    level.add(slice, -slice);
    level.unlink(order);
    level.push(order);
  }

  best(side: Side): Order | undefined {
    return this.ladder(side).best()?.first ?? undefined;
  }

  bestTicks(side: Side): number {
    return this.ladder(side).best()?.priceTicks ?? 0;
  }

  lotsAt(side: Side, priceTicks: number): number {
    const level = this.ladder(side).at(priceTicks);
    return level === undefined ? 0 : level.visibleLots + level.hiddenLots;
  }

  visibleLotsAt(side: Side, priceTicks: number): number {
    return this.ladder(side).at(priceTicks)?.visibleLots ?? 0;
  }

  walk(side: Side, visit: LevelVisitor): void {
    for (const level of this.ladder(side).levels()) {
      if (!visit(level.priceTicks, level.visibleLots, level.hiddenLots)) return;
    }
  }

  lotsOn(side: Side, scale: QuoteScale): number {
    return this.ladder(side).lots(scale);
  }

  stretches(side: Side): Iterable<Stretch> {
    return this.ladder(side).stretches();
  }

  orders(side: Side): Iterable<Order> {
    return this.ladder(side).orders();
  }

  check(scale: QuoteScale): void {
    this.bids.check("highest", ({ priceTicks }) => priceTicks, scale);
    this.asks.check("lowest", ({ priceTicks }) => priceTicks, scale);
  }

  private ladder(side: Side): Ladder {
    return side === "BUY" ? this.bids : this.asks;
  }

  private unlink(order: Order, level: Level): void {
    level.unlink(order);
    this.size--;
    if (level.first !== null) return;
    assert(level.visibleLots === 0 && level.hiddenLots === 0, "an empty level shows nothing");
    this.ladder(order.side).close(level);
  }
}

function levelOf(order: Order): Level {
  return present(order.level, "the order is not on the book") as Level;
}
