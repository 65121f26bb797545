from heartrule.store.migrations.environment import run

run()
