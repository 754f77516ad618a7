# Finished boards, and what is dead on them.

1 boardsize 5
komi 0.5
gogui-play_sequence b C1 w D1 b C2 w D2 b C3 w D3 b C4 w D4 b C5 w D5 b A3 w E4 b B2 w E2
10 final_score
#? [B\+4.5]
20 final_status_list dead
#? []
# A stone in the other's area is dead, and changes nothing by area.
play w B4
30 final_status_list dead
#? [B4]
40 final_score
#? [B\+4.5]
undo
50 final_status_list dead
#? []

# Three colours: points by name. White's last stone takes all of black's.
2 manyminds-colours black white red
boardsize 5
gogui-play_sequence b A3 w B3 red C3 b A4 w B4 red C4 b A5 w B5 red C5 b A2 w B2 red C2 b A1 w B1 red C1
60 final_score
#? [black 0 white 10 red 15]
