import type { PlanUsage, WireContext } from "@ashlar/context/provider";

/** Reports the quotas that OpenAI and its kin state in `x-ratelimit-*` headers; nothing where there are none. */
export function reportRateLimits(headers: Readonly<Record<string, string>>, io: WireContext): void {
  const quotas = Object.fromEntries(["requests", "tokens"].flatMap((name) => quotaOf(headers, name)));
  if (Object.keys(quotas).length > 0) io.reportPlanUsage({ quotas });
}

function quotaOf(
  headers: Readonly<Record<string, string>>,
  name: string,
): readonly [string, PlanUsage["quotas"][string]][] {
  const total = count(headers[`x-ratelimit-limit-${name}`]);
  const remaining = count(headers[`x-ratelimit-remaining-${name}`]);
  const reset = headers[`x-ratelimit-reset-${name}`];
  if (total === undefined && remaining === undefined) return [];
  const quota = {
    ...(total !== undefined && { total }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { reset }),
  };
  return [[name, quota]];
}

function count(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value.trim()) ? Number(value) : undefined;
}
