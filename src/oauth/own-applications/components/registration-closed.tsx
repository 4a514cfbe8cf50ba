import { Notice } from "@/ui/notice";

/** Said wherever somebody could otherwise register an application. */
export const RegistrationClosed = () => (
  <Notice kind="warning">
    Registering applications is switched off here. An administrator can register one for you, or switch it on
    again.
  </Notice>
);
