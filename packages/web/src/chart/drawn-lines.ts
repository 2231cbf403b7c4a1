/** Own orders as they are drawn while one of them may be moving. */
import { decimal, isZero } from "../exact/decimal.ts";
import { grouped } from "../exact/shown.ts";
import type { LineWords } from "../words/words.ts";
import type { LineEdit } from "./line-edit.ts";
import type { Look } from "./look.ts";
import type { OrderLine } from "./order-lines.ts";
import type { DrawnLine } from "./order-lines-primitive.ts";

/** A line that moves is drawn twice: where it is, and where it would go. */
export function drawnLines(lines: readonly OrderLine[], edit: LineEdit | null, look: Look): readonly DrawnLine[] {
  return lines.flatMap((line): DrawnLine[] => {
    const colour = line.order.side === "BUY" ? look.up : look.down;
    const drawn = {
      key: line.key,
      price: Number(line.price),
      text: grouped(line.price),
      colour,
      textColour: look.panel,
    };
    const form = line.isSettled ? "plain" : "waiting";
    if (edit === null || edit.line.key !== line.key || edit.act !== "move") return [{ ...drawn, form }];
    return [
      { ...drawn, form: "leaving" },
      { ...drawn, price: Number(edit.to), text: grouped(edit.to), form: edit.step === "sending" ? "waiting" : "ghost" },
    ];
  });
}

export function lineWords({ order, quantity, price, part }: OrderLine): LineWords {
  return {
    side: order.side,
    type: order.type,
    quantity,
    price,
    part,
    isList: order.orderListId !== -1,
    hasOtherPrice: !order.isWorking && !isZero(decimal(order.price)) && !isZero(decimal(order.stopPrice)),
  };
}
