export const subject = {
  folder: import.meta.dirname,
  calls: [
    { tool: "days-between", args: { from: "2027-03-26", to: "2027-03-30" } },
    { tool: "days-between", args: { from: "today", to: "2027-03-30" }, throws: "wanted a date" },
  ],
};
