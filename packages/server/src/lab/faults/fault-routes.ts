/** Routes of faults on demand. docs/guides/lab-faults.md */
import { AdminRefusal, created, ok } from "../../people/admin/answer.ts";
import { type Route, route } from "../../people/admin/router.ts";
import type { FaultBook } from "./fault-book.ts";
import { faultSchema } from "./fault.ts";
import type { ListedFault } from "./rule.ts";

export function faultRoutes({ book }: { readonly book: FaultBook }): Route[] {
  return [
    route({
      method: "POST",
      pattern: "/v1/lab/faults",
      summary: "Injects a fault into the requests, messages or deposits selected by `where`.",
      answers:
        "The `id` of the fault. 400 for an impossible fault, such as one with an endpoint, symbol, stream or network that does not exist; 404 for an unknown account; 409 if there are too many faults (TOO_MANY), or if an immediate fault is not possible now (NOT_POSSIBLE).",
      status: 201,
      body: faultSchema,
      handle: ({ body }) => created({ id: book.add(body) }),
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/faults",
      summary: "Lists the faults in the order of creation, with what each has affected.",
      answers:
        "Each fault as requested; `armed`: its condition has occurred; `met`: the number of matching requests, messages or deposits; `struck`: the number of them that it affected; `strikes`: the first and the latest of these.",
      handle: () => ok(book.list().map(shown)),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/faults",
      summary: "Removes all faults. Items that are already delayed arrive when they are due.",
      answers: "`removed`: the number of faults removed.",
      handle: () => ok({ removed: book.clear() }),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/faults/:id",
      summary: "Removes a fault.",
      answers: "`removed`: 1. 404 (UNKNOWN_FAULT) if there is no fault with this id.",
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
