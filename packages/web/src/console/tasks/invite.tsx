/** Invites a customer or an operator, who chooses a password by a link that is shown once. */
import type { Configuration, Operator } from "@pricetime/server/answers";
import { type Signal, useSignal } from "@preact/signals";
import { Choice, Field } from "../../pages/form.tsx";
import { showSpan } from "../../panels/show.ts";
import { consoleInvite as words, consoleMarkets, consoleOperators, pagesWords } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import type { Json } from "../openapi.ts";
import { Part, type TaskProps, TaskWindow } from "./task-window.tsx";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const emailProblem = (email: Signal<string>): string => (EMAIL.test(email.value.trim()) ? "" : words.badEmail);

export function InviteCustomer(props: TaskProps) {
  const email = useSignal("");
  const name = useSignal("");
  const venue = useFetched<Configuration>(props.context, "/v1/configuration").value;
  return (
    <TaskWindow
      {...props}
      title={words.customer}
      check={() => emailProblem(email) || (name.value.trim() === "" ? words.noName : "")}
      request={() => ({ body: { email: email.value.trim(), name: name.value.trim() } })}
      {...instructionFor(venue)}
    >
      <Field id="invite-email" label={words.email} value={email} type="email" inputMode="email" isFirst />
      <Field id="invite-name" label={words.name} value={name} />
      {venue !== null && (
        <Part title={words.theyGet}>
          <p>{words.customerGets(lifeOf(venue))}</p>
          <p>{venue.hasMailServer ? words.byEmail : words.noMail}</p>
          <p>{words.opensAt(`${venue.publicUrl}/account/`)}</p>
          <p>{words.fees(consoleMarkets.percent(venue.fees.makerBps), consoleMarkets.percent(venue.fees.takerBps))}</p>
        </Part>
      )}
    </TaskWindow>
  );
}

const DAY_MS = 86_400_000;
const lifeOf = ({ invitationLifeMs }: Configuration): string =>
  invitationLifeMs < DAY_MS ? showSpan(invitationLifeMs) : pagesWords.days(Math.floor(invitationLifeMs / DAY_MS));

/** Without a mail server, no email contains the link. */
const instructionFor = (venue: Configuration | null) =>
  venue?.hasMailServer === false ? { instruction: words.linkByHand } : {};

type Role = keyof typeof consoleOperators.roleHelp;
const ROLES = Object.keys(consoleOperators.roleHelp) as Role[];

export function InviteOperator(props: TaskProps) {
  const { context } = props;
  const name = useSignal("");
  const email = useSignal("");
  const role = useSignal<Role>("admin");
  const venue = useFetched<Configuration>(context, "/v1/configuration").value;
  const check = (): string =>
    /^[a-z][a-z0-9._-]*$/.test(name.value.trim()) ? emailProblem(email) : words.badOperatorName;
  return (
    <TaskWindow
      {...props}
      title={words.operator}
      check={check}
      request={() => ({ body: { name: name.value.trim(), email: email.value.trim(), role: role.value } })}
      then={(added) => invite(context, added as unknown as Operator)}
      {...instructionFor(venue)}
    >
      <Field id="operator-name" label={words.operatorName} value={name} help={words.operatorNameHelp} isFirst />
      <Field id="operator-email" label={words.email} value={email} type="email" inputMode="email" />
      <Choice
        id="operator-role"
        label={words.role}
        value={role.value}
        options={ROLES.map((one) => [one, one])}
        onChoose={(value) => (role.value = ROLES.find((one) => one === value) ?? "viewer")}
        help={consoleOperators.roleHelp[role.value]}
      />
      {venue !== null && (
        <Part title={words.theyGet}>
          <p>{words.operatorGets(lifeOf(venue))}</p>
          <p>{venue.hasMailServer ? words.byEmail : words.noMail}</p>
        </Part>
      )}
    </TaskWindow>
  );
}

const invite = ({ admin }: Pick<Context, "admin">, { name }: Pick<Operator, "name">): Promise<Json> =>
  admin.ask<Json>("POST", `/v1/operators/${encodeURIComponent(name)}/invitation`);
