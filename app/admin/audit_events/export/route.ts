export { exportEvents as GET } from "@/operations/audit/export";
