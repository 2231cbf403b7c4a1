/** The operator's profile: role, rights, password and two-factor authentication. */
import { consoleProfile as words, consoleSays, pagesSay } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import type { Me } from "../wire/me.ts";
import { TotpPane } from "./totp-pane.tsx";

const REMOVE = "POST /v1/me/totp/remove";

export function MePage({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<Me>(desk, "/v1/me");
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Pane title={words.profile} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.name]: value.name,
              [words.role]: value.isToken ? words.tokenRole : (value.role ?? pagesSay.noFigure),
              [words.rights]: value.isToken ? words.allRights : value.rights.join(", ") || words.viewOnly,
              [words.totp]: value.isToken ? words.notForToken : value.hasTotp ? consoleSays.yes : consoleSays.no,
            }}
          />
        )}
        {value?.isToken === false && (
          <Acts desk={desk} page="profile" on="list" hidden={value.hasTotp ? [] : [REMOVE]} />
        )}
      </Pane>
      {value?.isToken === false && !value.hasTotp && <TotpPane desk={desk} />}
      {value?.isToken === true && <p class="muted">{words.tokenHelp}</p>}
    </div>
  );
}
