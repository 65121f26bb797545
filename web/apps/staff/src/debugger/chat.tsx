import "@heartrule/sdk/chat";
import { createElement, type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { locale } from "../shell/language.js";
import { where } from "./place.js";
import type { Bench } from "./session.js";

/** The simulated conversation, in the very element that people meet; and where it is held. */
export function Chat({ bench }: { bench: Bench }) {
  const { t } = useTranslation("debugger");
  const { state, act, does, offer, setOffer } = bench;
  const { chat } = state;
  const [words, setWords] = useState("");
  const again = (event: FormEvent) => {
    event.preventDefault();
    const text = (words || offer).trim();
    void does(async () => {
      await act("say", { type: "message", text });
      setOffer("");
      setWords("");
    });
  };
  return (
    <>
      {createElement("heart-chat", {
        key: chat.session,
        base: chat.base,
        session: chat.session,
        token: chat.token,
        locale: locale(),
      })}
      <p className="debug-where" role="status">
        {where(state, t)}
      </p>
      {offer && (
        <form onSubmit={again} className="debug-offer">
          <label>
            {t("offer")}
            <input value={words || offer} onChange={(event) => setWords(event.target.value)} />
          </label>
          <button type="submit">{t("say")}</button>
          <button type="button" onClick={() => setOffer("")}>
            {t("drop")}
          </button>
        </form>
      )}
    </>
  );
}
