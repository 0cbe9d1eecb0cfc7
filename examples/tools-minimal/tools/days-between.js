const DAY_MS = 86_400_000;
const date = { type: "string", description: "A date such as 2027-03-28." };

export function toolDescription() {
  return {
    "days-between": {
      safe: true,
      description: "Counts the days from one date to another; negative when the second is earlier.",
      inputSchema: {
        type: "object",
        properties: { from: date, to: date },
        required: ["from", "to"],
        additionalProperties: false,
      },
      fn: daysBetween,
    },
  };
}

export function settingsSchema() {
  return {
    "days-between": { default: { workdays: false }, description: "workdays: count Monday to Friday only." },
  };
}

function daysBetween({ from, to }, { env }) {
  const [start, end] = [dayOf("from", from), dayOf("to", to)];
  const sign = Math.sign(end - start);
  let days = 0;
  for (let day = start; day !== end; day += sign) {
    if (!env.settings["days-between"]?.workdays || isWorkday(day)) days += sign;
  }
  return `${days} days`;
}

function dayOf(field, text) {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time))
    throw new Error(`${field} is ${JSON.stringify(text)}; wanted a date such as 2027-03-28`);
  return time / DAY_MS;
}

function isWorkday(day) {
  const weekday = new Date(day * DAY_MS).getUTCDay();
  return weekday > 0 && weekday < 6;
}
