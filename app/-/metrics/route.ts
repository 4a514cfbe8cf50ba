export { getMetrics as GET } from "@/server/metrics.ts";
