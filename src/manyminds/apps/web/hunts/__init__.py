"""Teams that hunt Pac-Man, in the browser: live, or a store's games played again.

`order` is what a hunter's process is told, `hunter` the process, `scene` what it shows of a tick, `hunt` a
hunt with its pages, `ground` all hunts of a server.
"""
