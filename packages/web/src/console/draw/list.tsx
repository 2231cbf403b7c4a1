/** A list of the console: saved whole from the node too, where it has that as a file. */
import type { Desk } from "../desk.ts";
import { refusalOf } from "../../pages/denied.ts";
import { List as AnyList, type ListProps } from "../../pages/list.tsx";
import { saveBlob } from "../../pages/save-blob.ts";
import type { Sent } from "../wire/admin.ts";

interface Props<Row> extends ListProps<Row> {
  readonly desk: Desk;
  readonly name: string;
  /** Where the node has the whole list as CSV. */
  readonly whole?: { readonly path: string; readonly query?: Sent["query"] };
}

export function List<Row>({ desk, whole, ...list }: Props<Row>) {
  // Never rejects.
  const saveWhole = async ({ path, query = {} }: NonNullable<Props<Row>["whole"]>): Promise<void> => {
    try {
      saveBlob(`${list.name}.csv`, await desk.admin.askFile(path, { query: { ...query, format: "csv" } }));
    } catch (error) {
      desk.say("bad", refusalOf(error));
    }
  };
  return <AnyList {...list} onSaveWhole={whole === undefined ? undefined : () => void saveWhole(whole)} />;
}
