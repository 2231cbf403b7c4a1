/** Routes of faults on demand. docs/guides/lab-faults.md */
import { AdminRefusal, created, ok } from "../../admin/answer.ts";
import { type Route, route } from "../../admin/router.ts";
import type { FaultBook } from "./fault-book.ts";
import { faultSchema } from "./fault.ts";
import type { ListedFault } from "./rule.ts";

export function faultRoutes({ book }: { readonly book: FaultBook }): Route[] {
  return [
    route({
      method: "POST",
      pattern: "/v1/lab/faults",
      summary: "Lets something go wrong: with the requests, messages or coins of `where` that it strikes.",
      answers:
        "The `id` of the fault. 400 for what cannot be, such as an endpoint, symbol, stream or network that does not exist; 404 for an unknown account; 409 when there are too many (TOO_MANY), or what is to happen now cannot (NOT_POSSIBLE).",
      status: 201,
      body: faultSchema,
      handle: ({ body }) => created({ id: book.add(body) }),
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/faults",
      summary: "The faults in the order in which they were made, with what each has struck.",
      answers:
        "Each fault as it was asked for; `armed`: what it waited for has happened; `met`: of what it is meant for, the number that came by; `struck`: of these, the number that it struck; `strikes`: the first and the latest of them.",
      handle: () => ok(book.list().map(shown)),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/faults",
      summary: "Removes all faults. What they have delayed already comes when it is due.",
      answers: "`removed`: how many there were.",
      handle: () => ok({ removed: book.clear() }),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/faults/:id",
      summary: "Removes a fault.",
      answers: "`removed`: 1. 404 (UNKNOWN_FAULT) when there is none with this id.",
      handle: ({ path: { id = "" } }) => {
        if (!/^[1-9][0-9]{0,14}$/.test(id) || !book.remove(Number(id))) {
          throw new AdminRefusal(404, "UNKNOWN_FAULT", `There is no fault ${id}.`);
        }
        return ok({ removed: 1 });
      },
    }),
  ];
}

function shown({ fault, id, ...rest }: ListedFault): object {
  return { id, ...fault, ...rest };
}
