export { exportOwnData as POST } from "@/operations/own-account/data-export";
