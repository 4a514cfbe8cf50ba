import { collectorEndpoint, collectorPreflight } from "@/error-tracking/collector/endpoint";
import { readEnvelope } from "@/error-tracking/collector/reports";

export const POST = collectorEndpoint(readEnvelope);
export const OPTIONS = collectorPreflight;
