export { exportEvents as GET } from "@/features/audit/export";
