import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

/** A leaf over the page that asks for something; Escape and a click beside it close it. */
export function Leaf({
  title,
  open,
  onClose,
  children,
  alert = false,
}: {
  title: string;
  open: boolean;
  onClose(): void;
  children: ReactNode;
  /** Read out at once, and not closed by a click beside it. */
  alert?: boolean;
}) {
  return (
    <ModalOverlay
      className="veil"
      isOpen={open}
      isDismissable={!alert}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Modal className="leaf">
        <Dialog role={alert ? "alertdialog" : "dialog"} className="leaf-body">
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
