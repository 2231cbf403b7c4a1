/** What keeps others out: password, two-factor codes, and where somebody is signed in. */
import { useSignal } from "@preact/signals";
import { Pane } from "../../pages/pane.tsx";
import { customerSecurity as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { useAct } from "../draw/act.ts";
import { columnsOf } from "../../pages/columns.ts";
import { CodeField, codeOf } from "../draw/code.tsx";
import { Field, Form } from "../../pages/form.tsx";
import { List } from "../../pages/list.tsx";
import { NewPasswordFields, useNewPassword } from "../outside/password.tsx";
import type { SessionRow } from "../wire/account.ts";
import { TwoFactor } from "./two-factor.tsx";

export function SecurityPage({ desk }: { desk: Desk }) {
  return (
    <>
      <Sessions desk={desk} />
      <div class="two">
        <TwoFactor desk={desk} />
        <Password desk={desk} />
      </div>
    </>
  );
}

function Sessions({ desk }: { desk: Desk }) {
  const act = useAct(desk);
  const { value, denied } = useAsked(desk, "sessions", (wire) =>
    wire.account<readonly SessionRow[]>("GET", "sessions"),
  );
  const column = columnsOf<SessionRow>(desk);
  return (
    <List
      title={words.sessions}
      rows={value}
      denied={denied}
      empty={words.noSessions}
      keyOf={({ sessionId }) => sessionId}
      tools={
        <button
          type="button"
          class="button"
          onClick={() => act(words.othersEnded, () => desk.wire.account("POST", "sessions/close-others", { body: {} }))}
        >
          {words.endOthers}
        </button>
      }
      columns={[
        column.plain(words.client, ({ client }) => client),
        column.plain(words.ip, ({ ip }) => ip),
        column.moment(words.opened, ({ openedMs }) => openedMs),
        column.moment(words.renewed, ({ renewedMs }) => renewedMs),
        column.moment(words.until, ({ untilMs }) => untilMs),
        {
          label: words.acts,
          isActs: true,
          show: ({ sessionId, isThis, client, ip }) =>
            isThis ? (
              <span class="tag good">{words.isThis}</span>
            ) : (
              <button
                type="button"
                class="link"
                aria-label={words.endOf(client, ip)}
                onClick={() =>
                  act(words.ended, () => desk.wire.account("DELETE", `sessions/${encodeURIComponent(sessionId)}`))
                }
              >
                {words.end}
              </button>
            ),
        },
      ]}
    />
  );
}

function Password({ desk }: { desk: Desk }) {
  const old = useSignal("");
  const code = useSignal("");
  const password = useNewPassword(desk);
  return (
    <Pane title={words.password}>
      <Form
        class="padded"
        label={words.password}
        submit={words.setPassword}
        check={() => (old.value === "" ? words.oldNeeded : password.check())}
        onSend={async () => {
          await desk.wire.account("POST", "password", {
            body: { password: old.value, newPassword: password.first.value, ...codeOf(code) },
          });
          for (const field of [old, code, password.first, password.again]) field.value = "";
          desk.say("good", words.passwordSet);
          desk.done.value++;
        }}
      >
        <p class="muted">{words.passwordHelp}</p>
        <Field
          id="old-password"
          label={words.oldPassword}
          type="password"
          autocomplete="current-password"
          value={old}
        />
        <NewPasswordFields password={password} email={desk.session.value?.email ?? ""} />
        <CodeField desk={desk} id="password-code" code={code} />
      </Form>
    </Pane>
  );
}
