// Layers, cycles and the reach of each package. The table is scripts/layer-table.mjs.
module.exports = (async () => {
  const { layers, runsAnywhere } = await import("./scripts/layer-table.mjs");

  const layerRules = Object.entries(layers).map(([name, { imports }]) => ({
    name: `layer-${name}`,
    comment: `@ashlar/${name} may import ${imports.length > 0 ? imports.map((other) => `@ashlar/${other}`).join(", ") : "nothing of ours"}`,
    severity: "error",
    from: { path: `^packages/${name}/src/` },
    to: { path: "^packages/", pathNot: `^packages/(${[name, ...imports].join("|")})/` },
  }));

  const anywhere = [
    ...Object.entries(layers)
      .filter(([, layer]) => layer.anywhere)
      .map(([name]) => `packages/${name}/src/`),
    ...runsAnywhere,
  ];

  return {
    forbidden: [
      ...layerRules,
      {
        name: "no-cycle",
        comment: "no file imports itself through others, types included",
        severity: "error",
        from: { path: "^packages/" },
        to: { circular: true },
      },
      {
        name: "no-node-where-it-must-run-anywhere",
        severity: "error",
        from: { path: anywhere.map((folder) => `^${folder}`) },
        to: { dependencyTypes: ["core"] },
      },
      {
        name: "only-env-plugins-import-env",
        comment: "io takes a Connection value; only its env plugin needs Env itself",
        severity: "error",
        from: { path: "^packages/io/src/", pathNot: "^packages/io/src/env-plugin\\.ts$" },
        to: { path: "^packages/env/src/index\\.ts$", dependencyTypesNot: ["type-only"] },
      },
      {
        name: "tests-stay-out-of-sources",
        severity: "error",
        from: { path: "^packages/[^/]+/src/" },
        to: { path: "/test/" },
      },
      {
        name: "declared-dependencies-only",
        severity: "error",
        from: { path: "^packages/[^/]+/src/" },
        to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev", "unknown"] },
      },
    ],
    options: {
      tsConfig: { fileName: "tsconfig.layers.json" },
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
    },
  };
})();
