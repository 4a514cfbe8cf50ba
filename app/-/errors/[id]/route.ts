export { getListVersion as GET } from "@/error-tracking/tracked-errors/live-list";
