import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Icon } from "./icon.js";
import { useWords } from "./speaking.js";

/** Something that is asked before anything else goes on; Escape leaves it. */
export function Window(props: { title: string; close(): void; wide?: boolean; children: ReactNode }) {
  const t = useWords();
  return (
    <ModalOverlay className="veil" isOpen isDismissable onOpenChange={(open) => !open && props.close()}>
      <Modal className={props.wide ? "window wide" : "window"}>
        <Dialog className="window-body">
          <header className="window-head">
            <Heading slot="title">{props.title}</Heading>
            <button type="button" className="icon" aria-label={t("act.close")} onClick={props.close}>
              <Icon name="close" />
            </button>
          </header>
          {props.children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
