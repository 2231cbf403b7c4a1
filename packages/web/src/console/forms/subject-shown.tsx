/** The object that an action concerns, as a reader knows it: a customer by email, a withdrawal by amount and address. */
import type { ComponentChildren } from "preact";
import { DeniedText } from "../../pages/denied-text.tsx";
import { Facts } from "../../pages/pane.tsx";
import { consoleForms, consoleSubjects } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json } from "../wire/document.ts";
import { PaymentShown } from "./payment-shown.tsx";
import { partOf } from "./schema-shape.ts";
import type { Subject } from "./subjects.ts";

/** `known` is what the page knows of an object that the node does not describe alone: it stands for its plain name. */
export function SubjectsShown({
  desk,
  subjects,
  known = {},
}: {
  desk: Desk;
  subjects: readonly Subject[];
  known?: Readonly<Record<string, string>>;
}) {
  const plain = subjects.filter(({ path }) => path === null).map(plainRow);
  const rows = Object.keys(known).length > 0 ? known : Object.fromEntries(plain);
  return (
    <>
      {Object.keys(rows).length > 0 && <Facts rows={rows} />}
      {subjects.map((subject) =>
        subject.path === null ? null : <Described key={subject.path} desk={desk} {...subject} path={subject.path} />,
      )}
    </>
  );
}

const plainRow = ({ kind, value }: Subject): [string, string] => [
  consoleForms.fieldName(kind),
  consoleForms.choiceName(kind, value),
];

function Described({ desk, kind, value, path }: { desk: Desk; kind: string; value: string; path: string }) {
  const asked = useAsked<Json>(desk, path);
  if (asked.denied !== null) return <DeniedText denied={asked.denied} />;
  if (asked.value === null) return <p class="muted">{consoleForms.loading}</p>;
  if (kind === "withdrawal") return <PaymentShown desk={desk} withdrawal={value} told={asked.value} />;
  return <Facts rows={factsOf(kind, value, asked.value)} />;
}

function factsOf(kind: string, value: string, told: Json): Readonly<Record<string, ComponentChildren>> {
  const part = (name: string): string => String(partOf(told, name) ?? "");
  switch (kind) {
    case "account":
      return {
        [consoleForms.fieldName(kind)]: consoleSubjects.account(part("email"), part("name"), part("accountId")),
      };
    case "symbol":
      return { [consoleSubjects.market]: value, [consoleSubjects.status]: part("status") };
    case "asset":
      return { [consoleForms.fieldName(kind)]: consoleSubjects.asset(value, part("name")) };
    case "email":
      return { [consoleSubjects.to]: part("to"), [consoleSubjects.subject]: part("subject") };
    default:
      return { [consoleForms.fieldName(kind)]: value };
  }
}
