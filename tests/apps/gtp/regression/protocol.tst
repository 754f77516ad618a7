# The protocol itself, as other programs use it.

10 protocol_version
#? [2]
20 known_command kata-analyze
#? [true]
30 known_command gogui-analyze_commands
#? [true]
boardsize 13
komi 5.5
40 get_komi
#? [5\.5]
fixed_handicap 2
50 list_stones black
#? [D4 K10]
60 all_legal black
#? [A1 .* pass]
kgs-time_settings byoyomi 30 2 5
time_left white 2 1
70 genmove white
#? [!resign]
80 is_legal white D4
#? [0]
