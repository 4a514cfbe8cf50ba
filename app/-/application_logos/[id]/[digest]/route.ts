export { getLogo as GET } from "@/features/applications/logo-picture";
